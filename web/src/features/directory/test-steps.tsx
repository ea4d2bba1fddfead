/** The result of testing a directory, step by step. */
import type { LdapTestResult } from '@chancery/contract/organizations/ldap.ts'
import { Check, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { hasFieldProblems } from '#lib/problems/api-error.ts'
import { cx } from '#ui/class-names.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import type { useTestDirectory } from './api.ts'

const stepNames: Record<LdapTestResult['steps'][number]['step'], string> = {
  address: 'Resolve address',
  connect: 'Connect',
  tls: 'Encrypt',
  bind: 'Sign in to the directory',
  search: 'Find people',
  groups: 'Read groups',
}

export function TestSteps({ test }: { test: ReturnType<typeof useTestDirectory> }) {
  const elementRef = useRef<HTMLDivElement>(null)
  const isFailed = test.isError && !hasFieldProblems(test.error)
  // Scrolled into view, because in a long dialog it would appear off screen.
  useEffect(() => {
    if (test.isSuccess || isFailed) elementRef.current?.scrollIntoView({ block: 'nearest' })
  }, [test.isSuccess, isFailed])
  return (
    <div ref={elementRef} aria-live="polite">
      {isFailed && (
        <div className="mt-4">
          <ErrorPanel error={test.error} />
        </div>
      )}
      {test.isSuccess && <Result result={test.data} />}
    </div>
  )
}

const Result = ({ result: { ok, steps } }: { result: LdapTestResult }) => (
  <section aria-label="Test result" className="mt-4 rounded-panel border bg-sunken px-4 py-3">
    <p className={cx('font-medium', ok ? 'text-ok' : 'text-bad')}>{ok ? 'The directory works.' : 'The test failed.'}</p>
    <ol className="mt-2 flex flex-col gap-2">
      {steps.map(({ step, ok: isGood, detail }) => (
        <li key={step} className="flex items-start gap-2.5">
          {isGood ? (
            <Check aria-label="Done" className="mt-1 size-4 shrink-0 text-ok" />
          ) : (
            <X aria-label="Failed" className="mt-1 size-4 shrink-0 text-bad" />
          )}
          <span className="min-w-0">
            <span className="font-medium">{stepNames[step]}</span>
            <span className="block break-words text-soft text-sm">{detail}</span>
          </span>
        </li>
      ))}
    </ol>
  </section>
)
