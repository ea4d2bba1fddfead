/** The tool servers where the person has an account of their own: connected or not. */
import { Link2, Unlink } from 'lucide-react'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { connectHref, useConnections, useDisconnect } from './api.ts'

/** Shown only where there is such a server. */
export function ConnectionsPanel() {
  const { data: servers = [] } = useConnections()
  const { mutate: disconnect } = useDisconnect()
  if (servers.length === 0) return null
  return (
    <Panel title="Tool servers" hint="These servers ask you to sign in before you can use their tools in a chat.">
      <ul aria-label="Tool servers" className="divide-y divide-line">
        {servers.map(({ id, name, connected_at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2.5 first:pt-0 last:pb-0">
            <span className="flex items-center gap-3">
              <span className="font-medium">{name}</span>
              {connected_at === null ? <Badge>Not connected</Badge> : <Badge tone="good">Connected</Badge>}
              {connected_at !== null && (
                <span className="text-faint text-xs">
                  <Time at={connected_at} />
                </span>
              )}
            </span>
            {connected_at === null ? (
              // Not a link of the app: the server sends the browser on to the sign-in page.
              <a href={connectHref(id)} aria-label={`Connect ${name}`} className={buttonLook('plain', 'small')}>
                <Link2 aria-hidden className="size-3.5" />
                Connect
              </a>
            ) : (
              <Button
                size="small"
                icon={Unlink}
                aria-label={`Disconnect ${name}`}
                onClick={() => disconnect({ id, name })}
              >
                Disconnect
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
