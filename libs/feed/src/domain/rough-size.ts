/**
 * The approximate bytes of a value as JSON, for a fraction of the cost of writing it. Texts are not searched for
 * characters to escape. Only the last number of a list is measured, because the others are hardly longer.
 */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value === 'number') return String(value).length;
  if (Array.isArray(value)) return sizeOfList(value);
  if (typeof value !== 'object' || value === null) return 4;
  return Object.entries(value).reduce((sum, [key, held]) => sum + key.length + 4 + roughSize(held), 2);
}

function sizeOfList(list: readonly unknown[]): number {
  if (typeof list[0] === 'number') return list.length * (roughSize(list.at(-1)) + 1) + 2;
  return list.reduce((sum: number, item) => sum + roughSize(item) + 1, 2);
}
