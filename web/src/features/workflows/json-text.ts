/** JSON as people type it: nothing at all is nothing, and what is wrong is told by line and column. */

export interface ReadJson {
  value?: unknown
  problem?: string
}

export function readJson(text: string): ReadJson {
  if (text.trim() === '') return {}
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `This is not JSON${placeOf(text, error)}.` }
  }
}

/** Browsers tell the place in their own words: by line and column, by how many characters are before it, or as the end. */
function placeOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const lined = /line (\d+) column (\d+)/.exec(message)
  if (lined) return `: see line ${lined[1]}, column ${lined[2]}`
  const counted = /position (\d+)/.exec(message)
  if (!counted && !/end of (?:JSON|data)/.test(message)) return ''
  const before = text.slice(0, counted ? Number(counted[1]) : text.length).split('\n')
  return `: see line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
}

export const writeJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))
