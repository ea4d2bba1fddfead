/** What is kept for as long as a setting says: every `declareRetention(…, { what, howLong, setting })`. */
import { table } from './parts.ts'
import { sourceFiles } from './source-files.ts'

const rule = /\bwhat: '([^']+)',\s*howLong: (\d+),\s*setting: '([^']+)'/g

export const retentionTable = (): string => {
  const rows = sourceFiles.flatMap(({ text }) =>
    [...text.matchAll(rule)].map(([, what = '', days = '', setting = '']) => [
      what,
      days === '0' ? 'forever' : `${days} days`,
      `\`${setting}\``,
    ]),
  )
  return table(['What', 'How long, unless set', 'Setting'], rows)
}
