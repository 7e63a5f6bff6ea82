/** Longitude and latitude in degrees, WGS 84. */
export type Position = [longitude: number, latitude: number];
/** West, south, east, north in degrees. */
export type Bounds = [west: number, south: number, east: number, north: number];

export interface Point {
  type: "Point";
  coordinates: Position;
}

export interface LineString {
  type: "LineString";
  coordinates: Position[];
}

export interface Polygon {
  type: "Polygon";
  coordinates: Position[][];
}

export interface MultiPolygon {
  type: "MultiPolygon";
  coordinates: Position[][][];
}

export type Geometry = Point | LineString | Polygon | MultiPolygon;

export interface Feature<Shape = Geometry, Properties = object> {
  type: "Feature";
  id?: string;
  geometry: Shape;
  properties: Properties;
}

export interface FeatureCollection {
  type: "FeatureCollection";
  features: Feature[];
}
