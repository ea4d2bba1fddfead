/** The times that the status page is about. Pure. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const spans = {
  day: { lengthMs: dayMs, source: 600, stepSec: 600 },
  month: { lengthMs: 30 * dayMs, source: 3600, stepSec: 6 * 3600 },
} as const
export type Span = keyof typeof spans

const floorTo = (ms: number, stepMs: number): number => Math.floor(ms / stepMs) * stepMs

export const minuteOf = (time: Date): Date => new Date(floorTo(time.getTime(), minuteMs))

/** The beginnings of a span's periods, the current one last. */
export const periodsOf = (span: Span, now: Date): Date[] => {
  const { lengthMs, stepSec } = spans[span]
  const stepMs = stepSec * 1000
  const last = floorTo(now.getTime(), stepMs)
  return Array.from({ length: lengthMs / stepMs }, (_, index) => new Date(last - lengthMs + (index + 1) * stepMs))
}

/** A process may write its sample some seconds late. */
const latenessMs = 90_000

/** What a roll-up may close, and what may go then: by whole hours, so that a period that is made again has all its parts. */
export const ends = (now: Date) => ({
  closed: new Date(now.getTime() - latenessMs),
  minutesBefore: new Date(floorTo(now.getTime(), hourMs) - 2 * hourMs),
  tenMinutesBefore: new Date(floorTo(now.getTime(), hourMs) - dayMs - hourMs),
  hoursBefore: new Date(now.getTime() - 35 * dayMs),
})
