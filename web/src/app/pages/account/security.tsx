/** Password, second factors and, for people with an account, the emailed code. */

import { useViewer } from '#data/viewer.ts'
import { LoginCodeSwitch } from '#features/account/login-code-switch.tsx'
import { PasswordForm } from '#features/account/password-form.tsx'
import { FactorsPanel } from '#features/factors/own/factors-panel.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function SecurityPage() {
  const { kind } = useViewer()
  return (
    <>
      <PageTitle>Sign-in and security</PageTitle>
      <Panel title="Password">
        <PasswordForm />
      </Panel>
      <FactorsPanel />
      {kind === 'person' && (
        <Panel title="Emailed code">
          <LoginCodeSwitch />
        </Panel>
      )}
    </>
  )
}
