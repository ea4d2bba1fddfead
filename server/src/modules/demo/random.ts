/** Numbers that are the same for each demo, so that two of them look alike. Pure. */
export interface Random {
  /** From 0 to 1, without 1. */
  next(): number
  /** A whole number; both ends can come. */
  between(least: number, most: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return { next, between, pick: (items) => items[between(0, items.length - 1)] ?? items[0] }
}
