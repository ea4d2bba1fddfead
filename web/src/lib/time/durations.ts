/** Formats durations as short as possible. */

const tenths = (value: number): string =>
  value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))

/** `4 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds < 59.5) return `${tenths(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return pair(whole, [60, 'min'], [1, 's'])
  return whole < 86_400 ? pair(whole, [3600, 'h'], [60, 'min']) : pair(whole, [86_400, 'd'], [3600, 'h'])
}

type Unit = [sec: number, name: string]

function pair(seconds: number, [largeSec, large]: Unit, [smallSec, small]: Unit): string {
  const rest = Math.floor((seconds % largeSec) / smallSec)
  return `${Math.floor(seconds / largeSec)} ${large}${rest > 0 ? ` ${rest} ${small}` : ''}`
}
