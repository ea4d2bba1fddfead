/** Password and, for people with an account, the login code. */

import { useViewer } from '#data/viewer.ts'
import { LoginCodeSwitch } from '#features/account/login-code-switch.tsx'
import { PasswordForm } from '#features/account/password-form.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function SecurityPage() {
  const { kind } = useViewer()
  return (
    <>
      <PageTitle>Security</PageTitle>
      <Panel title="Password">
        <PasswordForm />
      </Panel>
      {kind === 'person' && (
        <Panel title="Two-step sign-in">
          <LoginCodeSwitch />
        </Panel>
      )}
    </>
  )
}
