/** The output of a code block, below it. */
import { cx } from '#ui/class-names.ts'
import { reachable } from '../reachable.ts'
import type { useCodeRun } from './use-code-run.ts'

export function RunOutput({ run }: { run: NonNullable<ReturnType<typeof useCodeRun>['run']> }) {
  const { output, error, isRunning } = run
  return (
    <section role="status" aria-label="Output" className="border-t bg-sunken">
      {output !== '' && (
        <pre {...reachable} className="max-h-80">
          {output}
        </pre>
      )}
      {error !== undefined && (
        <pre {...reachable} className="max-h-80 text-bad">
          {error}
        </pre>
      )}
      {output === '' && error === undefined && (
        <p className={cx('px-3.5 py-2 text-faint text-sm', isRunning && 'shimmer')}>
          {isRunning ? 'Running' : 'It ran and printed nothing.'}
        </p>
      )}
    </section>
  )
}
