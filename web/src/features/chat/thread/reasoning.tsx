/** A model's reasoning before its answer, collapsed by default. */
import { cx } from '#ui/class-names.ts'
import { Fold } from './fold.tsx'

export function Reasoning({ text, isRunning }: { text: string; isRunning: boolean }) {
  if (text === '') return null
  return (
    <Fold summary={<span className={cx(isRunning && 'shimmer')}>{isRunning ? 'Thinking…' : 'Reasoning'}</span>}>
      <p className="whitespace-pre-wrap text-soft leading-relaxed [overflow-wrap:anywhere]">{text}</p>
    </Fold>
  )
}
