/** `1 node`, `2 nodes`: how many, with the word for it. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
