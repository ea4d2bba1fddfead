/** The source of a webhook's events, and the filter by which the webhook's own subscription selects them. */
const prefix = 'webhook:'

export const webhookSource = (id: string): string => `${prefix}${id}`

/** Publishers may use any source, so this alone proves nothing: `webhook_triggers` says which webhook a subscription has. */
export const isWebhookSource = (source: string): boolean => source.startsWith(prefix)

/** Publishers with an API key may claim any source, but their events always have a user. */
export const webhookFilter = (id: string): string =>
  `event["source"] == "${webhookSource(id)}" and event["user_id"] is None`
