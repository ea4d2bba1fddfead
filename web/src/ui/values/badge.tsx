/** A status in one word. The colour only repeats what the word says. */
import type { ReactNode } from 'react'
import { cx } from '#ui/class-names.ts'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'seal'

const tones: Record<Tone, string> = {
  plain: 'bg-sunken text-soft',
  good: 'bg-ok-wash text-ok',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  seal: 'bg-seal-wash text-seal-text',
}

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
