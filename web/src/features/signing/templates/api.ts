/** Templates: documents with roles instead of people, and sending one to many people at once. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import {
  BulkJob,
  type Template,
  type TemplateBody,
  type TemplateList,
  type TemplatePatch,
  type UseBody,
} from '@chancery/contract/signing/templates.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'
import { textOfCsv } from './csv-text.ts'

export type TemplateHead = z.output<typeof TemplateList>['data'][number]
export type TemplateDetails = z.output<typeof Template>
export type Bulk = z.output<typeof BulkJob>
const listsKey = ['signing-templates'] as const

export const useTemplates = (search: string | undefined) =>
  useInfiniteQuery({
    queryKey: [...listsKey, search],
    queryFn: ({ pageParam }) => call(endpoints.listTemplates, { query: { search, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

export const useTemplate = (id: string) =>
  useQuery({ queryKey: ['signing-template', id], queryFn: () => call(endpoints.getTemplate, { params: { id } }) })

export function useMakeTemplate(onMade: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: TemplateBody) => call(endpoints.createTemplate, { body }),
    onSuccess: async ({ title }) => {
      toast.done(`Template “${title}” saved`)
      await queryClient.invalidateQueries({ queryKey: listsKey })
      onMade()
    },
  })
}

export function useChangeTemplate(id: string) {
  const queryClient = useQueryClient()
  return async (patch: z.output<typeof TemplatePatch>) => {
    queryClient.setQueryData(
      ['signing-template', id],
      await call(endpoints.changeTemplate, { params: { id }, body: patch }),
    )
    await queryClient.invalidateQueries({ queryKey: listsKey })
  }
}

export function useDeleteTemplate(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string }) => call(endpoints.deleteTemplate, { params: { id } }),
    onSuccess: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: listsKey })
    },
    onError: toast.failed,
  })
}

export const applyTemplate = (id: string, body: z.input<typeof UseBody>): Promise<SigningDocument> =>
  call(endpoints.useTemplate, { params: { id }, body })

export const sendBulk = async (id: string, csv: File, isPreview: boolean): Promise<Bulk> => {
  const text = textOfCsv(new Uint8Array(await csv.arrayBuffer()))
  const form = new FormData()
  form.set('preview', String(isPreview))
  form.set('file', new Blob([text], { type: 'text/csv' }), csv.name)
  const options = { onProgress: () => undefined, signal: new AbortController().signal }
  return api.upload(addressOf(endpoints.sendInBulk, { params: { id } }), form, BulkJob, options)
}

const refreshMs = 1500

export const useBulk = (id: string | undefined) =>
  useQuery({
    queryKey: ['signing-bulk', id],
    enabled: id !== undefined,
    queryFn: () => call(endpoints.getBulk, { params: { id: id ?? '' } }),
    refetchInterval: ({ state }) => (state.data?.state === 'DONE' ? false : refreshMs),
  })
