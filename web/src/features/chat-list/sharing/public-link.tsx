/** Lets anybody with a link read a shared chat, where the organization allows it. */
import { type PublicLinkBody, publicChatPagePath, type ShareReply } from '@chancery/contract/chats/chats.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { organizationQuery } from '#data/organization.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { chatCalls, shareOfQuery } from '../api.ts'
import { ReadOnlyLink } from './read-only-link.tsx'

interface PublicLinkProps {
  chatId: string
  share: ShareReply
  onChange: (share: ShareReply) => void
}

/** The link as this browser reaches the server, whatever address the server has been told. */
const publicUrlOf = (url: string) => location.origin + publicChatPagePath(url.slice(url.lastIndexOf('/') + 1))

export function PublicLink({ chatId, share, onChange }: PublicLinkProps) {
  const isAllowed = useQuery(organizationQuery).data?.publicChatLinks
  const { public_url: url, show_author: showsAuthor } = share
  const queryClient = useQueryClient()
  const publish = useMutation({
    mutationFn: (body: PublicLinkBody) => chatCalls.publish(chatId, body),
    onSuccess: onChange,
    onError: (error) => {
      toast.failed(error)
      // The link may have been removed in another tab.
      void queryClient.invalidateQueries({ queryKey: shareOfQuery(chatId).queryKey })
    },
  })
  const remove = useMutation({
    mutationFn: () => chatCalls.unpublish(chatId),
    onSuccess: () => {
      onChange({ ...share, public_url: null, show_author: false })
      toast.done('The public link no longer works.')
    },
    onError: toast.failed,
  })
  if (!isAllowed && url === null) return null
  return (
    <section aria-label="Public link" className="flex flex-col gap-4 border-t pt-5">
      <Switch
        label="Public link"
        help={
          isAllowed
            ? 'Anyone with this link can read the chat and its files without signing in.'
            : 'Your organization has turned public links off, so this link doesn’t work now.'
        }
        isOn={url !== null}
        isPending={publish.isPending || remove.isPending}
        onChange={(isOn) => (isOn ? publish.mutate({}) : remove.mutate())}
      />
      {url !== null && (
        <>
          <ReadOnlyLink label="Public link" url={publicUrlOf(url)} help="Search engines are told not to list it." />
          <Switch
            label="Show my name"
            help="Otherwise the page doesn’t say who shared the chat."
            isOn={showsAuthor}
            isPending={publish.isPending}
            onChange={(isOn) => publish.mutate({ show_author: isOn, public_url: url })}
          />
        </>
      )}
    </section>
  )
}
