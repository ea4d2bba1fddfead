/** The result of testing a directory, step by step. */
import type { LdapTestResult } from '@chancery/contract/organizations/ldap.ts'
import { useEffect, useRef } from 'react'
import { hasFieldProblems } from '#lib/problems/api-error.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { StepsResult } from '#ui/feedback/steps-result.tsx'
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
      {test.isSuccess && (
        <StepsResult
          isOk={test.data.ok}
          verdict={test.data.ok ? 'The directory works.' : 'The test failed.'}
          steps={test.data.steps.map(({ step, ok, detail }) => ({ name: stepNames[step], isOk: ok, detail }))}
        />
      )}
    </div>
  )
}
