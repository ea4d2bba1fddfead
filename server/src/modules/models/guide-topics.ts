/** What the guide can speak about. Text only; which of it answers a question is decided in guide-answer.ts. */

export interface Topic {
  title: string
  /** Beginnings of words, in lower case, with spaces between. The topic that most of a question's words belong to answers it. */
  words: string
  text: string
  /** What somebody might ask next. */
  next: readonly [string, string]
}

export const notAModel =
  'I am the guide of this office, a small program with prepared answers. I am **not a language model**: I only know ' +
  'Chancery itself.'

export const welcome: Topic = {
  title: 'Welcome to Chancery',
  words: 'hello hi hey hallo help here start begin moin greetings',
  text: `Hello, and welcome. ${notAModel}

You can ask me, for example:

- What is Chancery?
- How do I connect a model?
- How do I make an API key?
- How do I invite my colleagues?
- What can I do with chats?`,
  next: ['What is Chancery?', 'How do I connect a model?'],
}

export const lost: Topic = {
  title: 'A question for the guide',
  words: '',
  text: `I have no answer to that. ${notAModel}

Ask me about connections, models, API keys, inviting colleagues, chats, usage, signing in or workflows. For anything else, choose a language model in the list above. If the list has none yet, a platform administrator can connect one: ask me how.`,
  next: ['How do I connect a model?', 'What is Chancery?'],
}

export const topics: readonly Topic[] = [
  {
    title: 'What the guide is',
    words: 'guide language llm gpt artificial intelligen human robot bot you your',
    text: `${notAModel} I answer by the words of your question, I learn nothing, and nothing you write to me leaves this server.

As soon as a model is connected, choose it in the list above and talk to that one instead.`,
    next: ['How do I connect a model?', 'What is Chancery?'],
  },
  {
    title: 'Connecting a model',
    words: 'connect provider runtime upstream compat ollama openai endpoint backend install local',
    text: `A platform administrator connects models, in one of two ways.

**In the platform console**, under *Connections*:

1. Choose *New connection*.
2. Say what it is: a **local runtime** on your own machines, or a **provider** that speaks the common chat-completion API.
3. Give its address, and its key if it has one. The key is kept encrypted and never shown again.
4. Try it, then save. Its models appear in the list within moments.

**By environment**, before the start:

\`\`\`sh
UPSTREAM_BASE_URL=http://localhost:11434       # a local runtime
COMPAT_API_BASE_URL=https://provider.example/v1
COMPAT_API_KEY=…
\`\`\`

Several of each are welcome. Where two serve the same model, the second steps in when the first fails.`,
    next: ['Who may use which model?', 'How do I make an API key?'],
  },
  {
    title: 'API keys',
    words: 'api key keys token sdk curl script program develop integrat',
    text: `Open your account settings, then *API keys*, then *New API key*. Give it a name; if you like, an end date and the addresses it is held to. **The key is shown once**, so copy it.

\`\`\`sh
curl {base_url}/api/chat/completions \\
  -H "Authorization: Bearer sk-…" -H "Content-Type: application/json" \\
  -d '{"model": "guide", "messages": [{"role": "user", "content": "Hello"}]}'
\`\`\`

Put this server's address in place of \`{base_url}\`. SDKs of the chat-completion API take \`{base_url}/api\` as their base address, those of the messages format as well, and clients of local runtimes take \`{base_url}/upstream\`.`,
    next: ['How much have I used?', 'How do I connect a model?'],
  },
  {
    title: 'Inviting colleagues',
    words: 'invit colleague team member coworker people organi company group department role',
    text: `If you administer your organization, open *Organization*, then *Team*, then *Invite somebody*. Your colleague gets a letter with a link that works once and for seven days.

There you also change roles, deactivate somebody who leaves, and make **groups** and **departments**. Models can be granted to a group, so that not everybody sees everything. A company that signs in at its own identity provider or directory can bring its people along.

No organization yet? Register one: choose *For a company* on the registration page.`,
    next: ['Who may use which model?', 'How do I sign in with my company account?'],
  },
  {
    title: 'Chats',
    words: 'chat conversation message branch regenerat edit folder share pin archiv export search stop history',
    text: `Write below and press *Enter*. While a reply is written you may leave: it is finished without you and waits in the list.

- **Edit** a question or **ask again**, and both versions stay, side by side as branches.
- **Stop** keeps what has been written so far.
- **Pin**, **archive**, **tag**, put into **folders**, **search** the full text.
- **Share** a chat by a link that shows it as it is now. Take the link back whenever you like.
- **Export** what is yours, and import it elsewhere.

Your chats are yours alone until you share them.`,
    next: ['How do I connect a model?', 'How much have I used?'],
  },
  {
    title: 'Models and who may use them',
    words: 'model custom prompt system parameter temperature access grant permission restrict who',
    text: `Every signed-in person may use the models of a connection, unless an administrator **restricts** one to some people, groups or organizations. A model that is not yours to use looks as if it did not exist, at every door.

A **custom model** is a base model with a name, a system prompt and parameters of its own: an assistant for contracts, say, or one that always answers in French. It can never reach a base that its user may not use.`,
    next: ['How do I connect a model?', 'How do I invite my colleagues?'],
  },
  {
    title: 'Usage and limits',
    words: 'usage used limit budget quota cost spend bill price statistic allowance much',
    text: `The usage page shows requests and tokens by day, model and key. Administrators may set **limits** for a person, a group or a key. When you reach one, the error says which and when it ends.

Talking to me costs nothing.`,
    next: ['How do I make an API key?', 'Who may use which model?'],
  },
  {
    title: 'Workflows',
    words: 'workflow agent automat trigger event webhook schedule cron flow',
    text: `**Workflows** let agents take on routine work: something happens, a flow of steps begins, a person approves where it matters. Open *Workflows*, choose *New workflow* and begin with a template or a blank sheet. Events, schedules, webhooks and people start them; *Events* and each run show what happened and why.`,
    next: ['What is Chancery?', 'What can I do with chats?'],
  },
  {
    title: 'Documents and knowledge',
    words: 'sign signature signing document pdf contract seal file upload knowledge attach',
    text: `**Documents**: upload a PDF under *Documents*, add the people and the fields, review and send. Each person gets a link by email and signs in the browser, without an account. When everybody has signed, the file is sealed with a digital signature and an audit log; anybody can check it at \`/verify\`.

**Files and knowledge**: upload files and group them into collections, and models answer from them with citations. The API is described in \`docs/knowledge.md\`; its pages in the web app are still being built.`,
    next: ['What is Chancery?', 'What can I do with chats?'],
  },
  {
    title: 'Signing in and security',
    words: 'login log password security secure otp sso ldap session account privacy encrypt',
    text: `Under *Account settings* you change your password, ask for a **code by mail** at each sign-in, and see every session with its device; end the ones you do not know.

A company may let its people sign in at its own identity provider (OpenID Connect) or LDAP directory; its administrator sets that up under *Organization*. Keys of providers are kept encrypted, and your messages go only to the model you choose.`,
    next: ['How do I make an API key?', 'How do I invite my colleagues?'],
  },
  {
    title: 'Running Chancery',
    words: 'admin console setup platform configur environment variable setting backup update host deploy server',
    text: `Administrators of this server use the **platform console**: users, organizations, administrators, connections, settings, the audit log and outgoing mail. The first administrator is created at \`/setup\` with the setup key that the server prints at its first start.

All variables are listed in \`docs/CONFIGURATION.md\`, and running it day by day in \`docs/OPERATIONS.md\`.`,
    next: ['How do I connect a model?', 'What is Chancery?'],
  },
  {
    title: 'About Chancery',
    words: 'chancery office about product service feature app purpose',
    text: `**Chancery** is an office you host yourself. People talk with language models here, sign documents, and let agents take on the routine; one account opens all of it. It is one server and one database, and what you write stays with you and the models you choose.

Here today: chats with any connected model, document signing, workflows on events, files and knowledge, plugins, speech, teams and company logins, API keys, and doors for the SDKs you already use.`,
    next: ['How do I connect a model?', 'How do I invite my colleagues?'],
  },
  {
    title: 'You are welcome',
    words: 'thank thanks thx great bye danke',
    text: 'You are welcome. I am here whenever you have a question about the office.',
    next: ['What can I do with chats?', 'How do I make an API key?'],
  },
]
