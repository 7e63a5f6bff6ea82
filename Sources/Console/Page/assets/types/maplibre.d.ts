// The part of MapLibre GL JS 5 that the page uses.

import type { Feature, FeatureCollection, Position } from "./geojson";

/** A JSON value of a style: a constant or an expression. */
export type StyleValue = string | number | boolean | StyleValue[];

export interface Layer {
  id: string;
  type: "background" | "raster" | "line" | "fill" | "symbol" | "circle";
  source?: string;
  "source-layer"?: string;
  minzoom?: number;
  filter?: StyleValue;
  layout?: Record<string, StyleValue>;
  paint?: Record<string, StyleValue>;
}

export type Source =
  | { type: "geojson"; data: FeatureCollection }
  | { type: "raster"; tiles: string[]; tileSize: number; maxzoom: number; attribution: string }
  | { type: "vector"; tiles: string[]; minzoom: number; maxzoom: number; attribution: string };

export interface Style {
  version: 8;
  glyphs: string;
  sources: Record<string, Source>;
  layers: Layer[];
}

export interface PixelPoint {
  x: number;
  y: number;
}

export interface PointerEvent {
  type: PointerEventName;
  point: PixelPoint;
  lngLat: { toArray(): Position };
  preventDefault(): void;
}

export type PointerEventName =
  | "click" | "dblclick" | "mousedown" | "mousemove" | "mouseup" | "touchstart" | "touchmove" | "touchend";

/** Properties of rendered features are flat: nested values come as JSON texts. */
export interface RenderedFeature extends Feature {
  layer: { id: string };
}

interface Handler {
  enable(): void;
  disable(): void;
}

interface Control {
  onAdd(map: Map): HTMLElement;
}

interface ScaleControl extends Control {
  setUnit(unit: string): void;
}

interface Popup {
  setLngLat(position: Position): this;
  setDOMContent(content: Node): this;
  addTo(map: Map): this;
  getElement(): HTMLElement;
  remove(): void;
}

export interface Marker {
  setLngLat(position: Position): this;
  addTo(map: Map): this;
  remove(): void;
}

export interface Map {
  touchZoomRotate: Handler & { disableRotation(): void };
  dragPan: Handler;
  doubleClickZoom: Handler;
  boxZoom: Handler;
  addControl(control: Control, position: string): void;
  once(event: "style.load"): Promise<void>;
  on(event: PointerEventName, listener: (event: PointerEvent) => void): void;
  on(event: "moveend", listener: () => void): void;
  on(event: "mouseenter" | "mouseleave", layer: string, listener: () => void): void;
  setGlyphs(url: string): void;
  addSource(id: string, source: Source): void;
  getSource(id: string): { setData(data: FeatureCollection): void } | undefined;
  addLayer(layer: Layer): void;
  setPaintProperty(layer: string, name: string, value: StyleValue): void;
  hasImage(name: string): boolean;
  addImage(name: string, image: ImageData, options: { pixelRatio: number }): void;
  updateImage(name: string, image: ImageData): void;
  queryRenderedFeatures(box: [Position, Position], options: { layers: string[] }): RenderedFeature[];
  getCanvas(): HTMLCanvasElement;
  getBounds(): { toArray(): [Position, Position] };
  getZoom(): number;
  fitBounds(bounds: number[], options: { padding: number; maxZoom: number; animate: boolean; duration: number }): void;
  easeTo(options: { center: Position; zoom: number; animate: boolean; duration: number }): void;
}

interface MapOptions {
  container: HTMLElement;
  style: Style | string;
  bounds: number[];
  fitBoundsOptions: { padding: number; maxZoom: number };
  attributionControl: { compact: boolean };
  dragRotate: boolean;
  pitchWithRotate: boolean;
  fadeDuration: number;
  transformRequest(url: string): { url: string; headers: Record<string, string> } | undefined;
}

export interface MapLibre {
  Map: new (options: MapOptions) => Map;
  NavigationControl: new (options: { showCompass: boolean }) => Control;
  ScaleControl: new (options: object) => ScaleControl;
  Popup: new (options: { maxWidth: string }) => Popup;
  Marker: new (options: { element: HTMLElement }) => Marker;
  addProtocol(scheme: string, load: (request: { url: string }) => Promise<{ data: ArrayBuffer }>): void;
}

declare global {
  /** Set by the library's script. */
  var maplibregl: MapLibre;
}
