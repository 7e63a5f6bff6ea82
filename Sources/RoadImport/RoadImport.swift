// RoadImport
