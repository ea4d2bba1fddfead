/** A form field: label above, help below, and the problem in place of the help. */
import { createContext, type ReactNode, use, useId } from 'react'
import { missingText, missingValue } from '#lib/problems/problem-text.ts'
import { cx } from '#ui/class-names.ts'

interface Control {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

const FieldContext = createContext<Control | undefined>(undefined)

/** Connects an input to its label, help and problem. */
export function useFieldControl(): Control {
  const control = use(FieldContext)
  if (control === undefined) throw new Error('inputs must be rendered inside a Field')
  return control
}

interface FieldProps {
  label: string
  name: string
  help?: ReactNode
  problem?: string | undefined
  /** Shown like a problem, but nothing has to be corrected. */
  hint?: string | undefined
  isOptional?: boolean
  /** A small link or button at the end of the label's line. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

export function Field({
  label,
  name,
  help,
  problem,
  hint,
  isOptional = false,
  aside,
  className,
  children,
}: FieldProps) {
  const id = useId()
  const hasNote = problem !== undefined || hint !== undefined || help !== undefined
  const noteId = hasNote ? `${id}-note` : undefined
  return (
    <div className={cx('flex flex-col gap-1.5', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
          {isOptional && <span className="ml-1.5 font-normal text-faint">optional</span>}
        </label>
        {aside}
      </div>
      <FieldContext
        value={{ id, name, 'aria-describedby': noteId, 'aria-invalid': problem === undefined ? undefined : true }}
      >
        {children}
      </FieldContext>
      {hasNote && (
        <p id={noteId} className={cx('text-sm', noteColour(problem, hint))}>
          {problem === missingValue ? missingText(label) : (problem ?? hint ?? help)}
        </p>
      )}
    </div>
  )
}

/** The colour of the line below a field. */
export const noteColour = (problem: string | undefined, hint: string | undefined): string => {
  if (problem !== undefined) return 'text-bad'
  return hint === undefined ? 'text-faint' : 'text-warn'
}
