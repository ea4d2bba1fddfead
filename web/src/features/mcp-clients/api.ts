/** MCP clients that ask to use the person's tools. */

import type { ClientConsent } from '@chancery/contract/accounts/mcp-clients.ts'
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

/** `search` is what the client sent the browser here with. */
export const useQuestion = (search: string) =>
  useQuery({
    queryKey: ['mcp-client', search],
    queryFn: () => call(endpoints.getConsent, { query: consentOf(search) }),
    retry: false,
  })

const names = ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'] as const
const optional = ['state', 'scope', 'resource'] as const

const consentOf = (search: string) => {
  const sent = new URLSearchParams(search)
  const fields = [...names, ...optional].flatMap((name) => {
    const value = sent.get(name)
    return value === null ? [] : [[name, value]]
  })
  return Object.fromEntries(fields) as ClientConsent
}

/** Leaves the app for the client, with its code. */
export const useAllow = (search: string) =>
  useMutation({
    mutationFn: () => call(endpoints.giveConsent, { body: consentOf(search) }),
    onSuccess: ({ redirect_to }) => location.assign(redirect_to),
  })

/** Where the client hears that the person declined. */
export const declinedUrl = (search: string): string => {
  const { redirect_uri, state } = consentOf(search)
  const back = new URL(redirect_uri)
  back.searchParams.set('error', 'access_denied')
  if (state !== undefined) back.searchParams.set('state', state)
  return back.href
}
