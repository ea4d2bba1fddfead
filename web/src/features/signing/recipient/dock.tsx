/**
 * The panel at the bottom of the signing page: what to do next. Each step is its own panel, whose first input or heading
 * gets the focus, so keyboards and screen readers follow.
 */
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { useSigning } from './signing-context.ts'

interface PanelProps {
  title: string
  hint?: string | undefined
  /** From 0 to 1. */
  progress?: number
  actions: ReactNode
  onSubmit?: (event: FormEvent) => void
  children?: ReactNode
}

export function Panel({ title, hint, progress, actions, onSubmit, children }: PanelProps) {
  const formRef = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const form = formRef.current
    const first = form?.querySelector<HTMLElement>('[data-first]') ?? form?.querySelector<HTMLElement>('h2')
    // The page has scrolled to the field; the focus must not scroll it away.
    first?.focus({ preventScroll: true })
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.(event)
  }
  return (
    <section
      aria-label={title}
      className="sticky bottom-0 z-20 border-t bg-raised pb-[env(safe-area-inset-bottom)] shadow-float"
    >
      {progress !== undefined && (
        <span aria-hidden className="block h-0.5 bg-line">
          <span
            className="block h-full bg-seal transition-[width] duration-150"
            style={{ width: `${progress * 100}%` }}
          />
        </span>
      )}
      <form
        ref={formRef}
        noValidate
        onSubmit={submit}
        className="mx-auto flex max-h-[70dvh] max-w-2xl flex-col gap-3 overflow-y-auto px-4 py-3 sm:px-6"
      >
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 tabIndex={-1} className="font-medium font-serif text-md outline-none">
            {title}
          </h2>
          {hint !== undefined && <p className="text-soft text-sm">{hint}</p>}
        </div>
        {children}
        <div className="flex gap-2 max-sm:*:flex-1 sm:justify-end">{actions}</div>
      </form>
    </section>
  )
}

/** A failure that belongs to no field. */
export function Failure({ text }: { text: string | undefined }) {
  const { language } = useSigning()
  if (text === undefined) return null
  return (
    <p role="alert" lang={language} className="rounded-control bg-bad-wash px-3 py-2 text-bad text-sm">
      {text}
    </p>
  )
}
