/** Steps that a new platform needs before people can use it well. */
import { useHasMailServer } from '#data/mail-server.ts'
import { Checklist } from '#ui/page/checklist.tsx'
import { useSetupFacts } from './api.ts'

const certificateHint =
  'Documents are sealed with a certificate that this server made itself. Set SIGNING_P12_PATH to use one from a certificate authority.'

export function SetupSteps() {
  const hasMail = useHasMailServer()
  const { connections, companyLogin, providers, certificate } = useSetupFacts()
  if (!connections || !companyLogin || !providers || !certificate || hasMail === undefined) return null
  return (
    <Checklist
      steps={[
        {
          label: 'Connect a model',
          to: '/platform/connections',
          isDone: connections.items.some(({ enabled }) => enabled),
        },
        {
          label: 'Connect a mail server',
          hint: 'Until then, emails stay in the outbox. Set SMTP_HOST on the server.',
          to: '/platform/mail',
          isDone: hasMail,
        },
        {
          label: 'Set up single sign-on',
          hint: 'Optional: people can also sign in with email and password.',
          to: '/platform/settings',
          isDone: companyLogin.enabled || providers.providers.length > 0,
        },
        {
          label: 'Add a signing certificate',
          hint: certificateHint,
          isDone: !certificate.isSelfMade,
        },
      ]}
    />
  )
}
