/** A small expression editor that grows with its text, completes names and underlines mistakes. */
import type { ComponentProps, RefObject } from 'react'
import { cx } from '#ui/class-names.ts'
import { TextArea } from '#ui/form/inputs.tsx'
import type { Known } from '../completion/complete.ts'
import { Completions, useCompletions } from '../completion/completions.tsx'
import { markAt } from './filter-marks.ts'

interface ExpressionEditorProps {
  ref: RefObject<HTMLTextAreaElement | null>
  value: string
  onChange: (value: string) => void
  /** Sample values of the names, for completion. */
  known: Known
  /** The location of the mistake, as last reported by the server. */
  mistake: { line: number; column: number } | null | undefined
}

/** Both layers must wrap lines identically, so ligatures are off: `==` stays two characters. */
const type = 'font-mono text-md! sm:text-sm! leading-6! whitespace-pre-wrap [overflow-wrap:anywhere]'

export function ExpressionEditor({ ref, value, onChange, known, mistake }: ExpressionEditorProps) {
  const list = useCompletions({ value, onText: onChange, notation: 'expression', known, ref })
  const { before, wrong, after } = mistake ? markAt(value, mistake) : { before: value, wrong: '', after: '' }
  return (
    <div className="relative grid rounded-control bg-surface">
      <pre
        aria-hidden
        className={cx(
          type,
          'pointer-events-none col-start-1 row-start-1 min-h-20 border border-transparent px-3 py-2 text-transparent',
        )}
      >
        {before}
        {mistake && (
          <mark
            data-testid="mistake"
            className="rounded-sm bg-bad-wash text-transparent underline decoration-2 decoration-bad decoration-wavy underline-offset-4"
          >
            {wrong || ' '}
          </mark>
        )}
        {/* An empty last line has no height otherwise. */}
        {after}{' '}
      </pre>
      <TextArea
        {...(list.field as ComponentProps<'textarea'>)}
        value={value}
        maxLength={2000}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        placeholder='payload["total"] > 100 and payload["country"] in ["DE", "AT"]'
        className={cx(type, 'col-start-1 row-start-1 resize-none overflow-hidden bg-transparent!')}
      />
      {list.found.length > 0 && <Completions list={list} />}
    </div>
  )
}
