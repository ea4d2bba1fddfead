/**
 * Cleans text and JSON from a model or a tool for the database and for later merges: no NUL, no lone surrogates, no keys
 * that a merge would refuse, no nesting deeper than a merge allows. A reply is never lost over one bad character.
 */
const maxLevels = 40
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Whatever is not JSON becomes null, as `JSON.stringify` has it. */
export const storableJson = (value: unknown, level = 0): unknown => {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (level >= maxLevels) return null
  if (Array.isArray(value)) return value.map((item) => storableJson(item, level + 1))
  const clean: [string, unknown][] = []
  for (const [key, item] of Object.entries(value))
    if (!unsafeKeys.has(key)) clean.push([storableText(key), storableJson(item, level + 1)])
  return Object.fromEntries(clean)
}
