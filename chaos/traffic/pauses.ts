/** For how long each kind of work did not happen. */
import type { Pulse } from '../pulse.ts'

interface Pauses {
  /** One for each kind, to be printed. */
  lines: string[]
  /** Those that paused for longer than they may. */
  late: string[]
}

export const findPauses = (pulses: Readonly<Record<string, Pulse>>, sinceMs: number, limitMs: number): Pauses => {
  const found = Object.entries(pulses).map(([name, pulse]) => ({ name, ms: pulse.longestPauseSince(sinceMs) }))
  const lines = found.map(({ name, ms }) => `longest pause of ${name}: ${(ms / 1000).toFixed(1)} s`)
  const late = found.flatMap(({ name, ms }, at) => (ms > limitMs ? [lines[at] ?? name] : []))
  return { lines, late }
}
