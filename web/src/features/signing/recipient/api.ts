/**
 * A recipient's link. The token is a secret: it goes into the path of our own API and nowhere else, not into storage,
 * titles or links to other sites.
 */
import * as endpoints from '@chancery/contract/endpoints/signing-public.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import type { SigningFacts, SigningReply } from '@chancery/contract/signing/recipient.ts'
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '#lib/http/call.ts'
import { ApiError } from '#lib/problems/api-error.ts'

export type Facts = z.output<typeof SigningFacts>
export type FactsField = Facts['fields'][number]

const keyOf = (token: string) => ['signing-link', token] as const

export const fileUrl = (token: string, fileId: string) =>
  addressOf(endpoints.readFile, { params: { token }, query: { fileId } })
export const downloadUrl = (token: string) => addressOf(endpoints.download, { params: { token } })
export const certificateUrl = (token: string) => addressOf(endpoints.readCertificate, { params: { token } })

const refreshMs = 4000

/** After signing, others may still sign and the seal is made: the page follows until there is a file to download. */
const isWaiting = (reply: z.output<typeof SigningReply> | undefined): boolean =>
  reply?.otpRequired === false &&
  reply.recipient.state === 'SIGNED' &&
  (reply.document.state === 'SENT' || reply.document.state === 'SEALING')

export const useFacts = (token: string) =>
  useQuery({
    queryKey: keyOf(token),
    queryFn: () => call(endpoints.getSigning, { params: { token } }),
    refetchInterval: ({ state }) => (isWaiting(state.data) ? refreshMs : false),
    // A field that is being filled in must not change under the recipient's hands.
    refetchOnWindowFocus: false,
  })

export const sendCode = (token: string) => call(endpoints.sendCode, { params: { token } })

/** The page is out of date: the link was replaced, the session has ended, or the document is closed by now. */
const endings = [
  'link_not_found',
  'otp_required',
  'document_finished',
  'document_expired',
  'already_signed',
  'not_your_turn',
]

function useRefetchWhenOver(token: string) {
  const queryClient = useQueryClient()
  return (error: unknown) => {
    if (error instanceof ApiError && endings.includes(error.code))
      void queryClient.invalidateQueries({ queryKey: keyOf(token) })
  }
}

/** An action of the recipient; afterwards the page shows what the server says. */
function useAction<Input, Result>(token: string, act: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(token) }),
    onError: useRefetchWhenOver(token),
  })
}

export const useVerifyCode = (token: string) =>
  useAction(token, (otp: string) => call(endpoints.verifyCode, { params: { token }, body: { otp } }))

/** Where the recipient counts their days. */
const here = () => ({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })

export const useOpen = (token: string) =>
  useAction(token, (_: undefined) => call(endpoints.openDocument, { params: { token }, body: here() }))

export const useConsent = (token: string) =>
  useAction(token, (_: undefined) => call(endpoints.consent, { params: { token }, body: { accepted: true } }))

export const useComplete = (token: string) =>
  useAction(token, (_: undefined) => call(endpoints.complete, { params: { token }, body: here() }))

export const useDecline = (token: string) =>
  useAction(token, (reason: string) => call(endpoints.decline, { params: { token }, body: { reason } }))

export const useDelegate = (token: string) =>
  useMutation({
    // The link ends with this, so the page isn't asked for again.
    mutationFn: (person: { name: string; email: string }) =>
      call(endpoints.delegate, { params: { token }, body: person }),
  })

export const stopUntil = { notMe: 'NOT_ME', noMore: 'NO_MORE_MAIL' } as const
export type StopReason = (typeof stopUntil)[keyof typeof stopUntil]

export const useStop = (token: string) =>
  useMutation({
    mutationFn: (reason: StopReason) => call(endpoints.stopMails, { params: { token }, body: { reason } }),
  })

export const useResume = (token: string) =>
  useMutation({ mutationFn: () => call(endpoints.resumeMails, { params: { token } }) })

export interface Filled {
  fieldId: string
  value: FieldValue | null
}

/** Saved values go straight into the page's facts: no second request before the next field. */
export function useFillFields(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (values: Filled[]) => call(endpoints.fillFields, { params: { token }, body: values }),
    onError: useRefetchWhenOver(token),
    onSuccess: (_, values) => {
      const byField = new Map(values.map(({ fieldId, value }) => [fieldId, value]))
      queryClient.setQueryData<z.output<typeof SigningReply>>(keyOf(token), (reply) =>
        reply === undefined || reply.otpRequired
          ? reply
          : {
              ...reply,
              fields: reply.fields.map((field) => saved(byField, field)),
            },
      )
    },
  })
}

/** Null is a value here: the field was emptied. What the recipient changed is no longer the sender's. */
const saved = (values: ReadonlyMap<string, FieldValue | null>, field: FactsField): FactsField => {
  const next = values.get(field.id)
  return next === undefined || next === field.value ? field : { ...field, value: next, isPrefilled: false }
}
