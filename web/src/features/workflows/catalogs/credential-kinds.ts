/** The kinds of credentials and what each of them asks for. */
import type { CredentialKind } from '@chancery/contract/workflows/http-credentials.ts'

export const kindLabels: Record<CredentialKind, string> = {
  bearer: 'Bearer token',
  basic: 'Basic authentication',
  header: 'Header',
  oauth2: 'OAuth 2 client credentials',
}

interface KindField {
  name: string
  label: string
  isOptional?: boolean
  placeholder?: string
}

/** Besides the secret. */
export const kindFields: Record<CredentialKind, readonly KindField[]> = {
  bearer: [],
  basic: [{ name: 'username', label: 'User name' }],
  header: [{ name: 'header', label: 'Header name', placeholder: 'X-Api-Key' }],
  oauth2: [
    { name: 'token_url', label: 'Token URL', placeholder: 'https://login.example.com/oauth/token' },
    { name: 'client_id', label: 'Client ID' },
    { name: 'scope', label: 'Scope', isOptional: true },
    { name: 'audience', label: 'Audience', isOptional: true },
  ],
}

export const secretLabels: Record<CredentialKind, string> = {
  bearer: 'Token',
  basic: 'Password',
  header: 'Header value',
  oauth2: 'Client secret',
}
