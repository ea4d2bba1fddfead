/** Documents of the signed-in person. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import {
  type DocumentList,
  type DocumentPatch,
  type FieldInput,
  type RecipientInput,
  SigningDocument,
} from '@chancery/contract/signing/documents.ts'
import type { FieldProposal } from '@chancery/contract/signing/proposals.ts'
import type { DocumentState } from '@chancery/contract/signing/signing.ts'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, type UploadOptions } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { toast } from '#ui/feedback/toast.ts'
import type { UploadAnswers } from './upload-question.tsx'

export type DocumentHead = z.output<typeof DocumentList>['data'][number]
export type Recipient = SigningDocument['recipients'][number]

const listsKey = ['signing-documents'] as const
const keyOf = (id: string) => ['signing-document', id] as const

export const fileUrl = (id: string, file: { version?: 'uploaded' | 'original' | 'sealed'; fileId?: string }) =>
  addressOf(endpoints.readDocument, { params: { id }, query: file })

export interface DocumentFilter {
  folder?: string | undefined
  search?: string | undefined
  state?: DocumentState | undefined
  sort?: string | undefined
}

const few = 6

export const foundQuery = (search: string) => ({
  queryKey: [...listsKey, 'found', search],
  queryFn: () => call(endpoints.listDocuments, { query: { search, limit: few } }),
})

const listRefreshMs = 15_000

export const useDocuments = (filter: DocumentFilter) =>
  useInfiniteQuery({
    queryKey: [...listsKey, filter],
    queryFn: ({ pageParam }) => call(endpoints.listDocuments, { query: { ...filter, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: listRefreshMs,
  })

const refreshMs = 4000
const isMoving = (state: DocumentState | undefined) => state === 'SENT' || state === 'SEALING'

/** Followed while others sign it and while it is sealed. */
export const useDocument = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: () => getDocument(id),
    refetchInterval: ({ state }) => (isMoving(state.data?.state) ? refreshMs : false),
  })

export const useQuota = () => useQuery({ queryKey: ['signing-quota'], queryFn: () => call(endpoints.getQuota) })

const formOf = (files: readonly File[], { password, acceptsSigned }: UploadAnswers): FormData => {
  const form = new FormData()
  if (password !== undefined) form.append('password', password)
  if (acceptsSigned === true) form.append('acceptsSigned', 'true')
  for (const file of files) form.append('file', file, file.name)
  return form
}

export const uploadDocument = (
  files: readonly File[],
  answers: UploadAnswers,
  options: UploadOptions,
): Promise<SigningDocument> =>
  api.upload(addressOf(endpoints.createDocument), formOf(files, answers), SigningDocument, options)

/** An action whose reply is the whole document: the page shows it without another request. */
function useChange<Input>(id: string, act: (input: Input) => Promise<SigningDocument>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (document) => {
      queryClient.setQueryData(keyOf(id), document)
      await queryClient.invalidateQueries({ queryKey: listsKey })
      await queryClient.invalidateQueries({ queryKey: auditKey(id) })
    },
    // Shows what somebody else changed meanwhile, so that the next attempt starts from there.
    onError: (error) =>
      error instanceof ApiError && error.code === 'document_changed'
        ? queryClient.invalidateQueries({ queryKey: keyOf(id) })
        : undefined,
  })
}

export const auditKey = (id: string) => ['signing-audit', id] as const

interface AddedFiles {
  files: readonly File[]
  answers: UploadAnswers
  options: UploadOptions
}

export const useAddFiles = (id: string) =>
  useChange(id, ({ files, answers, options }: AddedFiles) =>
    api.upload(addressOf(endpoints.addFiles, { params: { id } }), formOf(files, answers), SigningDocument, options),
  )
export const usePatchDocument = (id: string) =>
  useChange(id, (patch: DocumentPatch) => call(endpoints.changeDocument, { params: { id }, body: patch }))
export const useSetRecipients = (id: string) =>
  useChange(id, ({ list, version }: { list: RecipientInput[]; version: string }) =>
    call(endpoints.setRecipients, { params: { id }, body: list, version }),
  )
export const useOrderFiles = (id: string) =>
  useChange(id, ({ fileIds, version }: { fileIds: string[]; version: string }) =>
    call(endpoints.arrangeFiles, { params: { id }, body: { fileIds }, version }),
  )
export const useSend = (id: string) => useChange(id, (_: undefined) => call(endpoints.sendDocument, { params: { id } }))
export const useCancel = (id: string) =>
  useChange(id, (reason: string) =>
    call(endpoints.cancelDocument, { params: { id }, body: reason === '' ? undefined : { reason } }),
  )
export const useRetrySeal = (id: string) =>
  useChange(id, (_: undefined) => call(endpoints.retrySeal, { params: { id } }))
export const useResend = (id: string) =>
  useChange(id, ({ recipientId, email }: { recipientId: string; email?: string }) =>
    call(endpoints.resendToRecipient, {
      params: { id, recipientId },
      body: email === undefined ? undefined : { email },
    }),
  )
export const useReplace = (id: string) =>
  useChange(id, ({ recipientId, ...person }: { recipientId: string; name: string; email: string }) =>
    call(endpoints.replaceRecipient, { params: { id, recipientId }, body: person }),
  )

/** A link for the sender to hand over. The document's activity says so. */
export function useCopyLink(id: string) {
  const queryClient = useQueryClient()
  return async (recipientId: string) => {
    const link = await call(endpoints.makeRecipientLink, { params: { id, recipientId } })
    await queryClient.invalidateQueries({ queryKey: auditKey(id) })
    return link
  }
}

/** Reads the document again: somebody may have sent it from another tab. */
export function useRefreshDocument(id: string) {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: keyOf(id) })
}

/** Not a mutation of its own: the editor saves in the background and decides what to show. */
export const putFields = (id: string, fields: FieldInput[], version: string): Promise<SigningDocument> =>
  call(endpoints.setFields, { params: { id }, body: fields, version })

export const getProposals = async (id: string, fileId: string): Promise<FieldProposal[]> =>
  (await call(endpoints.proposeFields, { params: { id }, query: { fileId } })).proposals

export const getDocument = (id: string): Promise<SigningDocument> => call(endpoints.getDocument, { params: { id } })

export function useRemoveFile(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (fileId: string) => call(endpoints.removeFile, { params: { id, fileId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(id) }),
    onError: toast.failed,
  })
}

export function useDeleteDocument(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; title: string }) => call(endpoints.deleteDocument, { params: { id } }),
    onSuccess: async (_, { id, title }) => {
      toast.done(`“${title}” deleted`)
      onDone()
      queryClient.removeQueries({ queryKey: keyOf(id), type: 'inactive' })
      await queryClient.invalidateQueries({ queryKey: listsKey })
    },
    onError: toast.failed,
  })
}

/** What can be done with many documents at once, one request after the other. */
export const bulkCalls = {
  remind: (id: string) => call(endpoints.remindRecipients, { params: { id } }),
  cancel: (id: string) => call(endpoints.cancelDocument, { params: { id } }),
  move: (id: string, folder: string | null) => call(endpoints.changeDocument, { params: { id }, body: { folder } }),
}

export function useRefreshDocuments() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: listsKey })
}
