/**
 * Divides a rectangle among sizes so that the parts are as square as they can be (Bruls, Huizing and van Wijk, 2000).
 */

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns a rectangle for each size, in the same order. Sizes must be sorted, the largest first. */
export function squarify(sizes: readonly number[], { x, y, width, height }: Rectangle): Rectangle[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= 0 || width <= 0 || height <= 0) return sizes.map(() => ({ x, y, width: 0, height: 0 }));
  const areas = sizes.map((size) => (size * width * height) / total);
  const placed: Rectangle[] = [];
  let rest = { x, y, width, height };
  while (placed.length < areas.length) {
    const side = Math.min(rest.width, rest.height);
    const row: number[] = [];
    for (const area of areas.slice(placed.length)) {
      if (row.length > 0 && worst([...row, area], side) > worst(row, side)) break;
      row.push(area);
    }
    const sum = row.reduce((total, area) => total + area, 0);
    const thickness = side === 0 ? 0 : sum / side;
    const isTall = rest.width >= rest.height;
    let along = isTall ? rest.y : rest.x;
    for (const area of row) {
      const length = thickness === 0 ? 0 : area / thickness;
      placed.push(
        isTall
          ? { x: rest.x, y: along, width: thickness, height: length }
          : { x: along, y: rest.y, width: length, height: thickness },
      );
      along += length;
    }
    rest = isTall
      ? { ...rest, x: rest.x + thickness, width: Math.max(0, rest.width - thickness) }
      : { ...rest, y: rest.y + thickness, height: Math.max(0, rest.height - thickness) };
  }
  return placed;
}

function worst(row: readonly number[], side: number): number {
  const sum = row.reduce((total, area) => total + area, 0);
  return Math.max(...row.map((area) => Math.max((side ** 2 * area) / sum ** 2, sum ** 2 / (side ** 2 * area))));
}
