/** The list of webhooks: where to, which events, and whether it is on. */
import type { Webhook, WebhookWithSecret } from '@chancery/contract/platform/webhooks.ts'
import { Ellipsis, KeyRound, Plus, ScrollText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Empty, ErrorPanel } from '#ui/feedback/states.tsx'
import { Toggle } from '#ui/form/choices.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { type Column, Table, TableSkeleton } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useChangeWebhook, useDeleteWebhook, useRotateSecret, useWebhooks } from './api.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { NewWebhookDialog, SecretDialog } from './new-webhook-dialog.tsx'

type Opened = { what: 'log' | 'rotate' | 'delete'; webhook: Webhook }

export function WebhooksPanel() {
  const webhooks = useWebhooks()
  const [isNew, setNew] = useState(false)
  const [opened, setOpened] = useState<Opened>()
  const [made, setMade] = useState<WebhookWithSecret>()
  const close = () => setOpened(undefined)
  const remove = useDeleteWebhook(close)
  const rotate = useRotateSecret((webhook) => {
    close()
    setMade(webhook)
  })
  const open = (what: Opened['what']) => (opened?.what === what ? opened.webhook : undefined)
  const log = open('log')
  return (
    <Panel
      title="Webhooks"
      hint="Notify other systems of what happens to your documents. Each event is sent as a signed request and retried until it is delivered."
      action={
        <Button look="primary" icon={Plus} onClick={() => setNew(true)}>
          New webhook
        </Button>
      }
      isFlush
    >
      {webhooks.isPending && <TableSkeleton columns={4} rows={3} />}
      {webhooks.isError && (
        <div className="px-5 pb-5">
          <ErrorPanel error={webhooks.error} onRetry={webhooks.refetch} />
        </div>
      )}
      {webhooks.data?.data.length === 0 && (
        <Empty title="No webhooks yet" hint="Create one to tell another system when a document is signed." />
      )}
      {webhooks.data !== undefined && webhooks.data.data.length > 0 && (
        <Table
          label="Webhooks"
          columns={columnsOf((what, webhook) => setOpened({ what, webhook }))}
          rows={webhooks.data.data}
          keyOf={({ id }) => id}
        />
      )}
      <NewWebhookDialog
        eventTypes={webhooks.data?.eventTypes ?? []}
        isOpen={isNew}
        onMade={setMade}
        onClose={() => setNew(false)}
      />
      <SecretDialog made={made} onClose={() => setMade(undefined)} />
      {log && <DeliveriesDialog webhook={log} onClose={close} />}
      <Confirm
        title="Make a new secret?"
        loss="For a day, requests are signed with both secrets, so that the other system can switch. Then the old one ends."
        action="Make new secret"
        isOpen={open('rotate') !== undefined}
        isPending={rotate.isPending}
        onConfirm={() => opened && rotate.mutate(opened.webhook)}
        onClose={close}
      />
      <Confirm
        title="Delete this webhook?"
        loss="The other system hears nothing more, and the log of deliveries is deleted."
        action="Delete webhook"
        isOpen={open('delete') !== undefined}
        isPending={remove.isPending}
        onConfirm={() => opened && remove.mutate(opened.webhook)}
        onClose={close}
      />
    </Panel>
  )
}

const columnsOf = (onOpen: (what: Opened['what'], webhook: Webhook) => void): Column<Webhook>[] => [
  {
    head: 'Webhook',
    cell: ({ url, description, disabledReason }) => (
      <>
        <span className="block break-all font-mono text-sm">{url}</span>
        {description !== '' && <span className="text-faint text-sm">{description}</span>}
        {disabledReason !== null && <span className="block text-bad text-sm">{disabledReason}</span>}
      </>
    ),
  },
  {
    head: 'Events',
    isWideOnly: true,
    cell: ({ eventTypes }) =>
      eventTypes.length === 0 ? (
        <span className="text-soft">All events</span>
      ) : (
        <span className="flex flex-wrap gap-1">
          {eventTypes.map((type) => (
            <Badge key={type}>{type}</Badge>
          ))}
        </span>
      ),
  },
  {
    head: 'Created',
    isWideOnly: true,
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { head: 'On', cell: (webhook) => <OnOff webhook={webhook} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (webhook) => (
      <Menu trigger={<IconButton label={`Actions for ${webhook.url}`} icon={Ellipsis} />}>
        <MenuItem icon={ScrollText} onSelect={() => onOpen('log', webhook)}>
          Deliveries and test
        </MenuItem>
        <MenuItem icon={KeyRound} onSelect={() => onOpen('rotate', webhook)}>
          New secret
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} tone="bad" onSelect={() => onOpen('delete', webhook)}>
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]

function OnOff({ webhook: { id, url, enabled } }: { webhook: Webhook }) {
  const change = useChangeWebhook()
  return (
    <Toggle
      label={`Send to ${url}`}
      isOn={enabled}
      isPending={change.isPending}
      onChange={(isOn) => change.mutate({ id, enabled: isOn })}
    />
  )
}
