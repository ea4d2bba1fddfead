/**
 * The engraved background pattern: rings of one wave drawn many times, each slightly rotated. Decorative, so hidden
 * from assistive technology.
 */
import { useMemo } from 'react'
import { cx } from '#ui/class-names.ts'

interface Ring {
  inner: number
  outer: number
  waves: number
  lines: number
}

const shapes = {
  rosette: [
    { inner: 12, outer: 34, waves: 9, lines: 9 },
    { inner: 26, outer: 62, waves: 12, lines: 10 },
    { inner: 58, outer: 99, waves: 24, lines: 9 },
  ],
  medal: [
    { inner: 22, outer: 60, waves: 7, lines: 6 },
    { inner: 56, outer: 98, waves: 14, lines: 6 },
  ],
} as const satisfies Record<string, readonly Ring[]>

/** The reach of a Bézier curve's control points along a half wave, so that it approximates a sine. */
const reach = 0.3642

function wave({ inner, outer, waves }: Ring, turn: number): string {
  const half = Math.PI / waves
  const at = (step: number, along: number) => {
    const angle = half * step + turn
    const radius = step % 2 === 0 ? outer : inner
    const x = 100 + radius * Math.cos(angle) - along * radius * Math.sin(angle)
    const y = 100 + radius * Math.sin(angle) + along * radius * Math.cos(angle)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  }
  const handle = reach * half
  const bends = Array.from({ length: waves * 2 }, (_, step) => {
    return `C${at(step, handle)} ${at(step + 1, -handle)} ${at(step + 1, 0)}`
  })
  return `M${at(0, 0)}${bends.join('')}`
}

const draw = (ring: Ring): string =>
  Array.from({ length: ring.lines }, (_, line) => wave(ring, (line / ring.lines) * ((2 * Math.PI) / ring.waves))).join(
    '',
  )

export function Guilloche({ shape, className }: { shape: keyof typeof shapes; className?: string }) {
  const path = useMemo(() => shapes[shape].map(draw).join(''), [shape])
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" className={cx('pointer-events-none', className)}>
      <path d={path} fill="none" stroke="currentColor" strokeWidth="0.6" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
