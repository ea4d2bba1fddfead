-- A run started through a webhook's own subscription was started by the webhook. The link is looked up in each dispatch.
create unique index webhook_triggers_subscription on webhook_triggers (subscription_id) where subscription_id is not null;
