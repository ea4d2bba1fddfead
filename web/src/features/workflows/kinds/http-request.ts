/** Calls another service. */
import { Globe } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const httpRequest: NodeKind = {
  label: 'HTTP request',
  icon: Globe,
  purpose: 'Calls another service over HTTP.',
  idStem: 'call',
  start: { method: 'GET', url: '' },
  summary: ({ method, url }) => `${textOf(method) || 'GET'} ${textOf(url)}`.trim(),
  texts: () => ({ template: ['url', 'headers', 'body'] }),
  result: () => ['status', 'headers', 'body'],
  fields: {
    method: 'Method',
    url: 'URL',
    headers: 'Headers',
    credential_id: 'Credential',
    authorization: 'Authorization',
    body: 'Body',
  },
}
