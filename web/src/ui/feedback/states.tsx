/** The states other than content: loading, empty, and error with a retry. */
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { problemLines } from '#lib/problems/problem-lines.ts'
import { counted } from '#lib/text/counted.ts'
import { Guilloche } from '#ui/brand/guilloche.tsx'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { CopyButton } from './copy-button.tsx'

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block animate-breathe rounded bg-line', className)} />
}

/** Announces loading and reserves the space. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="status" aria-label={label}>
      {children}
    </div>
  )
}

interface EmptyProps {
  title: string
  hint: ReactNode
  action?: ReactNode
}

export function Empty({ title, hint, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <Guilloche shape="medal" className="mb-4 size-20 text-rule" />
      <p className="font-medium font-serif text-lg">{title}</p>
      <p className="mt-1 max-w-sm text-balance text-soft">{hint}</p>
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  )
}

export function ErrorPanel({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const known = error instanceof ApiError ? error : undefined
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-3 rounded-panel border border-bad/30 bg-bad-wash px-5 py-4"
    >
      <ErrorWords error={known} />
      {known && <ErrorFacts error={known} />}
      {onRetry && (
        <Button size="small" icon={RotateCw} onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** A request that was refused for several of its values names each of them. */
function ErrorWords({ error }: { error: ApiError | undefined }) {
  const lines = problemLines(error?.problems ?? [])
  if (lines.length < 2) return <p className="font-medium">{error?.message ?? 'Something went wrong.'}</p>
  return (
    <div>
      <p className="font-medium">{counted(lines.length, 'problem')} found</p>
      <ul className="mt-1 max-h-60 list-disc overflow-y-auto ps-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

/** The error code and request ID, for support. */
function ErrorFacts({ error }: { error: ApiError }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-mono text-soft text-xs">
      <span>{error.code}</span>
      {error.requestId !== undefined && (
        <span className="flex items-center gap-1">
          {error.requestId}
          <CopyButton text={error.requestId} label="Copy request ID" />
        </span>
      )}
    </p>
  )
}

/** A form error that belongs to no single field. */
export function FormFailure({ error }: { error: ApiError | undefined }) {
  if (error === undefined) return null
  const wait = error.retryAfterSec === undefined ? '' : ` Try again in ${error.retryAfterSec} s.`
  return (
    <p role="alert" className="rounded-control border border-bad/30 bg-bad-wash px-3 py-2 text-bad text-sm">
      {error.message}
      {wait}
    </p>
  )
}
