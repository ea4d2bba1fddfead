/** Steps that a new platform needs before people can use it well. */
import * as loginsEndpoints from '@chancery/contract/endpoints/logins.ts'
import * as modelsEndpoints from '@chancery/contract/endpoints/models.ts'
import * as sealsEndpoints from '@chancery/contract/endpoints/seals.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useHasMailServer } from '#data/mail-server.ts'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { Checklist } from '#ui/page/checklist.tsx'

const ProviderList = z.object({ providers: z.array(z.unknown()) })

const hasCompanyLogin = async () => {
  const [sso, oauth] = await Promise.all([
    call(loginsEndpoints.getCompanyLogin),
    api.get('/api/auth/oauth/providers', ProviderList),
  ])
  return sso.enabled || oauth.providers.length > 0
}

const certificateHint =
  'Documents are sealed with a certificate that this server made itself. Set SIGNING_P12_PATH to use one from a certificate authority.'

export function SetupSteps() {
  const hasMail = useHasMailServer()
  const connections = useQuery({
    queryKey: ['connections'],
    queryFn: () => call(modelsEndpoints.listConnections),
  })
  const login = useQuery({ queryKey: ['console', 'company-login'], queryFn: hasCompanyLogin })
  const certificate = useQuery({
    queryKey: ['console', 'certificate'],
    queryFn: () => call(sealsEndpoints.getSealCertificate),
  })
  if (!connections.data || login.data === undefined || !certificate.data || hasMail === undefined) return null
  return (
    <Checklist
      steps={[
        {
          label: 'Connect a model',
          to: '/platform/connections',
          isDone: connections.data.items.some(({ enabled }) => enabled),
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
          isDone: login.data,
        },
        {
          label: 'Add a signing certificate',
          hint: certificateHint,
          isDone: !certificate.data.isSelfMade,
        },
      ]}
    />
  )
}
