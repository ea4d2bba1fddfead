/** How the event of a webhook names it, and how the webhook's own workflow listens to that one webhook alone. */
export const webhookSource = (id: string): string => `webhook:${id}`

/** Whoever publishes with a key of their own may claim any source, but not to be nobody. */
export const webhookFilter = (id: string): string =>
  `event["source"] == "${webhookSource(id)}" and event["user_id"] is None`

const pattern = /^event\["source"\] == "webhook:([0-9a-f-]{36})" and event\["user_id"\] is None$/

/** The webhook that a subscription listens to. */
export const findWebhookOf = ({ filterExpr }: { filterExpr: string | null }): string | undefined =>
  pattern.exec(filterExpr ?? '')?.[1]
