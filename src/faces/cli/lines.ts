/** Yields the lines of an input; null for one that is too long to be kept, of which `onTooLong` gets all pieces. */
export async function* boundedLines(
  input: AsyncIterable<Uint8Array | string>,
  longest: number,
  onTooLong: (piece: Buffer) => void = () => {},
): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Buffer | null => {
    const line = length > longest ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  for await (const piece of input) {
    const chunk = Buffer.from(piece);
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();

  function keep(bytes: Buffer): void {
    length += bytes.length;
    if (bytes.length > 0) parts.push(bytes);
    if (length <= longest) return;
    for (const part of parts) onTooLong(part);
    parts = [];
  }
}
