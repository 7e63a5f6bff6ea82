/**
 * The map's symbols, drawn once for each theme: every kind has a shape of its own, so that the colour only helps.
 * A path is drawn in a square from -1 to 1, y down.
 */
const size = 26;
const ratio = 2;

const shapes = {
  arrow: [[0, -0.85], [0.65, 0.75], [0, 0.4], [-0.65, 0.75]],
  octagon: regular(8, 0.8, 22.5),
  diamond: regular(4, 0.85, 0),
  triangle: [[0, -0.8], [0.82, 0.68], [-0.82, 0.68]],
  square: regular(4, 0.85, 45),
  disc: regular(36, 0.62, 0),
  speech: [[-0.8, -0.7], [0.8, -0.7], [0.8, 0.3], [0, 0.3], [-0.4, 0.85], [-0.4, 0.3], [-0.8, 0.3]],
};

/** Each name with its shape, its colour in the palette, and the sign on it. */
const symbols = {
  "truck": { shape: "arrow", colour: "truck" },
  "truck-still": { shape: "disc", colour: "truck" },
  "truck-old": { shape: "arrow", colour: "old", hollow: true },
  "truck-old-still": { shape: "disc", colour: "old", hollow: true },
  "stage-ahead": { shape: "triangle", colour: "ahead", sign: "!" },
  "stage-detour": { shape: "diamond", colour: "detour", sign: "↰" },
  "stage-stop": { shape: "octagon", colour: "stop", sign: "–" },
  "clearance-too-low": { shape: "octagon", colour: "stop", sign: "×" },
  "clearance-unknown": { shape: "diamond", colour: "detour", sign: "?" },
  "clearance-fits": { shape: "disc", colour: "fits", sign: "✓" },
  "clearance": { shape: "square", colour: "neutral", sign: "↕" },
  "detour": { shape: "square", colour: "way", sign: "↰" },
  "told": { shape: "speech", colour: "told", sign: "i" },
  "corner": { shape: "square", colour: "fence", hollow: true },
};

/** What the legend explains, in its order. */
export const legend = [
  ["truck", "Truck, with its course"], ["truck-still", "Truck at rest"], ["truck-old", "Truck not heard of for a minute"],
  ["stage-ahead", "Told: low bridge ahead"], ["stage-detour", "Told: leave here"], ["stage-stop", "Told: stop"],
  ["clearance-too-low", "Too low for the chosen truck"], ["clearance-unknown", "Height unknown"],
  ["clearance-fits", "High enough"], ["clearance", "Clearance, no truck chosen"],
  ["told", "Where the driver was told"], ["detour", "Last way out"],
];

/** Every symbol as MapLibre takes it: `[name, ImageData]`. */
export function symbolImages(palette) {
  return Object.keys(symbols).map((name) => {
    const canvas = new OffscreenCanvas(size * ratio, size * ratio);
    drawSymbol(canvas, name, palette);
    return [name, canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)];
  });
}

export const pixelRatio = ratio;

export function drawSymbol(canvas, name, palette) {
  const { shape, colour, sign, hollow } = symbols[name];
  const pen = canvas.getContext("2d");
  const half = canvas.width / 2;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.translate(half, half);
  pen.beginPath();
  for (const [x, y] of shapes[shape]) pen.lineTo(x * half * 0.86, y * half * 0.86);
  pen.closePath();
  pen.lineJoin = "round";
  pen.lineWidth = hollow ? half * 0.2 : half * 0.16;
  pen.fillStyle = hollow ? palette.edge : palette[colour];
  pen.strokeStyle = hollow ? palette[colour] : palette.edge;
  pen.fill();
  pen.stroke();
  if (sign) drawSign(pen, sign, half, palette.edge, shape);
  pen.setTransform(1, 0, 0, 1, 0, 0);
}

function drawSign(pen, sign, half, colour, shape) {
  pen.font = `bold ${half * 0.86}px system-ui, "DejaVu Sans", sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = colour;
  pen.fillText(sign, 0, half * ({ triangle: 0.22, speech: -0.12 }[shape] ?? 0.06));
}

function regular(corners, radius, turn) {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = ((corner * 360) / corners + turn) * (Math.PI / 180);
    return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
  });
}
