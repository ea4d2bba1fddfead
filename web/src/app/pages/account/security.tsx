/** Password and login code. */
import { LoginCodeSwitch } from '#features/account/login-code-switch.tsx'
import { PasswordForm } from '#features/account/password-form.tsx'
import { Panel } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'

export function SecurityPage() {
  return (
    <>
      <PageTitle>Security</PageTitle>
      <Panel title="Password">
        <PasswordForm />
      </Panel>
      <Panel title="Two-step sign-in">
        <LoginCodeSwitch />
      </Panel>
    </>
  )
}
