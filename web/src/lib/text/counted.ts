/** `1 node`, `2 nodes`: a count with its noun. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
