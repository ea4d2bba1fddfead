/** Names between `{{` and `}}` that are no tags, in the order of the text, each once. */
const name = /(?<!\\)\{\{[ \t]*([\p{L}_][\p{L}\p{N}_.-]{0,79})[ \t]*\}\}/gu

export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(name)].map(([, found = '']) => found)),
]

/** In a preview a variable without a value shows its name. */
export const shownValues = (names: readonly string[], values: Readonly<Record<string, string>>) =>
  Object.fromEntries(names.map((one) => [one, values[one] || `[${one}]`]))

export const missingIn = (names: readonly string[], values: Readonly<Record<string, string>>): string[] =>
  names.filter((one) => (values[one] ?? '').trim() === '')
