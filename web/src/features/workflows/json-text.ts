/** JSON as people type it: empty text is undefined, and mistakes are reported by line and column. */

import { parseJson } from '#lib/http/exact-json.ts'

export interface ReadJson {
  value?: unknown
  problem?: string
}

export function readJson(text: string): ReadJson {
  if (text.trim() === '') return {}
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return { problem: `This isn’t valid JSON.${locationOf(text, error)}` }
  }
}

/** Browsers report the position differently: as line and column, as a character offset, or as the end of the text. */
function locationOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const lined = /line (\d+) column (\d+)/.exec(message)
  if (lined) return ` Check line ${lined[1]}, column ${lined[2]}.`
  const counted = /position (\d+)/.exec(message)
  if (!counted && !/end of (?:JSON|data)/.test(message)) return ''
  const before = text.slice(0, counted ? Number(counted[1]) : text.length).split('\n')
  return ` Check line ${before.length}, column ${(before.at(-1) ?? '').length + 1}.`
}

export const writeJson = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))
