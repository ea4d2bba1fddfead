/** The result of trying something step by step. */
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#ui/class-names.ts'

interface StepsResultProps {
  isOk: boolean
  /** One sentence about all of it. */
  verdict: string
  steps: readonly { name: string; isOk: boolean; detail: string }[]
  children?: ReactNode
}

export const StepsResult = ({ isOk, verdict, steps, children }: StepsResultProps) => (
  <section aria-label="Test result" className="mt-4 rounded-panel border bg-sunken px-4 py-3">
    <p className={cx('font-medium', isOk ? 'text-ok' : 'text-bad')}>{verdict}</p>
    <ol className="mt-2 flex flex-col gap-2">
      {steps.map((step) => (
        <li key={step.name} className="flex items-start gap-2.5">
          {step.isOk ? (
            <Check aria-label="Done" className="mt-1 size-4 shrink-0 text-ok" />
          ) : (
            <X aria-label="Failed" className="mt-1 size-4 shrink-0 text-bad" />
          )}
          <span className="min-w-0">
            <span className="font-medium">{step.name}</span>
            <span className="block break-words text-soft text-sm">{step.detail}</span>
          </span>
        </li>
      ))}
    </ol>
    {children}
  </section>
)
