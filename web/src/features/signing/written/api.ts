/** Pages of a text, made by the server, and the document that is made of it. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { uuidV4 } from '#lib/browser/uuid.ts'
import { api } from '#lib/http/api.ts'
import { call, unchecked } from '#lib/http/call.ts'

interface Text {
  markdown: string
  variables: Readonly<Record<string, string>>
}

/** The pages before stay until the new ones are there. */
export const usePreview = (text: Text) =>
  useQuery({
    queryKey: ['signing-text-preview', text],
    queryFn: ({ signal }) =>
      api.bytes(addressOf(endpoints.previewText), { text: text.markdown, variables: text.variables }, signal),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

export function useWriteDocument(onMade: (document: SigningDocument) => void) {
  const queryClient = useQueryClient()
  // A second press makes no second document.
  const [key] = useState(() => uuidV4())
  return useMutation({
    mutationFn: (body: Text & { title: string }) =>
      call({ ...endpoints.createDocument, reply: SigningDocument }, { body: unchecked(body), key }),
    onSuccess: async (document) => {
      await queryClient.invalidateQueries({ queryKey: ['signing-documents'] })
      onMade(document)
    },
  })
}
