/** Fields before and after, side by side; long texts as a line diff; secrets masked. */
import type { FieldChange } from '@chancery/contract/workflows/workflows.ts'
import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ShowMore } from '#ui/button/show-more.tsx'
import { cx } from '#ui/class-names.ts'
import { valueText } from './changes.ts'

export const FieldChanges = ({ changes }: { changes: readonly FieldChange[] }) => (
  <dl className="flex flex-col gap-4">
    {changes.map((change) => (
      <Field key={change.path} path={change.path}>
        {change.lines ? (
          <LineChanges lines={change.lines} />
        ) : (
          <div className="grid gap-2 sm:grid-cols-2">
            <Side word="Before" value={change.before} look="bg-bad-wash" />
            <Side word="After" value={change.after} look="bg-ok-wash" />
          </div>
        )}
      </Field>
    ))}
  </dl>
)

/** An added or removed node has one side only. */
export const FieldValues = ({ fields }: { fields: readonly { path: string; value: unknown }[] }) => (
  <dl className="flex flex-col gap-3">
    {fields.map(({ path, value }) => (
      <Field key={path} path={path}>
        <Value value={value} className="bg-sunken" />
      </Field>
    ))}
  </dl>
)

const Field = ({ path, children }: { path: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="mb-1 font-mono text-soft text-xs [overflow-wrap:anywhere]">{path}</dt>
    <dd>{children}</dd>
  </div>
)

const Side = ({ word, value, look }: { word: string; value: unknown; look: string }) => (
  <div className="min-w-0">
    <p className="mb-0.5 text-faint text-xs">{word}</p>
    <Value value={value} className={look} />
  </div>
)

function Value({ value, className }: { value: unknown; className: string }) {
  const { text, look } = valueText(value)
  if (look === 'plain')
    return (
      <pre
        className={cx(
          'overflow-hidden whitespace-pre-wrap rounded-control px-2 py-1 font-mono text-xs [overflow-wrap:anywhere]',
          className,
        )}
      >
        {text}
      </pre>
    )
  return (
    <p className="flex items-center gap-1.5 px-2 py-1 text-faint text-xs italic">
      {look === 'secret' && <EyeOff aria-hidden className="size-3.5" />}
      {text}
    </p>
  )
}

const lineLooks = {
  same: { sign: ' ', word: '', look: 'text-soft' },
  removed: { sign: '−', word: 'Removed: ', look: 'bg-bad-wash' },
  added: { sign: '+', word: 'Added: ', look: 'bg-ok-wash' },
} as const

/** A text can have a hundred thousand lines, too many for one page. */
const linesAtOnce = 500

function LineChanges({ lines }: { lines: NonNullable<FieldChange['lines']> }) {
  const [count, setCount] = useState(linesAtOnce)
  const left = lines.length - count
  return (
    <div className="overflow-hidden rounded-control border font-mono text-xs">
      {lines.slice(0, count).map(({ kind, text }, index) => {
        const { sign, word, look } = lineLooks[kind]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their index
          <p key={index} className={cx('flex gap-2 px-2 py-0.5', look)}>
            <span aria-hidden className="w-2 shrink-0 select-none">
              {sign}
            </span>
            <span className="sr-only">{word}</span>
            <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{text || ' '}</span>
          </p>
        )
      })}
      {left > 0 && (
        <p className="border-t px-2 py-1">
          <ShowMore onClick={() => setCount(count + linesAtOnce * 4)}>
            Show more lines ({left.toLocaleString('en')} left)
          </ShowMore>
        </p>
      )}
    </div>
  )
}
