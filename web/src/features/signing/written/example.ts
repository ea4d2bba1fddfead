/** The text that a new document begins with. */
export const exampleTitle = 'Service agreement'

export const exampleText = `# Service agreement

This agreement is made between **{{company}}** ("the provider") and **{{customer}}** ("the customer").

## 1. Services

The provider delivers the following services from {{start}} on:

- Planning and set-up
- Support on working days

## 2. Price

| Item | Price |
| --- | --- |
| Set-up | 1,200 EUR |
| Support, per month | 300 EUR |

Invoices are payable within 30 days.

## 3. Signatures

{{checkbox:Customer:Terms accepted}} The customer has read and accepts the terms.

| | Signature | Date |
| --- | --- | --- |
| Customer | {{sig:Customer}} | {{date:Customer}} |
| Provider | {{sig:Provider}} | {{date:Provider}} |
`
