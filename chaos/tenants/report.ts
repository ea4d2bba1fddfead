/** What the suite prints of a road. Pure. */
import { type Figures, ratioOf } from './judge.ts'
import type { Road } from './roads/road.ts'

export const describeRoad = ({ name, rows, what }: Pick<Road, 'name' | 'rows' | 'what'>): string =>
  `${name} (row ${rows}): ${what}`

const ms = (value: number): string => `${Number.isFinite(value) ? Math.round(value) : '–'}`.padStart(5)

export const describeVictim = (name: string, quiet: Figures, attacked: Figures): string =>
  [
    `  ${name.padEnd(6)} quiet median ${ms(quiet.median)}, p95 ${ms(quiet.p95)} ms`,
    `attacked ${ms(attacked.median)}, p95 ${ms(attacked.p95)}, worst ${ms(attacked.worst)} ms`,
    `× ${ratioOf(quiet, attacked).toFixed(1)}`,
    `${attacked.problems.length} of ${attacked.count} failed`,
  ].join('  |  ')
