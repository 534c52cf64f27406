/** Builds the MIME message of a mail for nodemailer. */
import type { SendMailOptions } from 'nodemailer';
import { LOGO_ADDRESS, type OutgoingMail } from './mailer.ts';
import { oneLine } from './render.ts';

export function composed(mail: OutgoingMail): SendMailOptions {
  const { from, to, copies, logo } = mail;
  const inline =
    logo === null
      ? []
      : [
          {
            cid: LOGO_ADDRESS.slice('cid:'.length),
            filename: logo.type === 'image/png' ? 'logo.png' : 'logo.jpg',
            contentType: logo.type,
            content: logo.bytes,
            contentDisposition: 'inline' as const,
          },
        ];
  return {
    messageId: mail.messageId,
    // Objects, so that a name is never parsed as an address.
    from: { name: oneLine(from.name), address: from.address },
    to: { name: oneLine(to.name), address: to.address },
    ...(copies.length > 0 && { cc: copies.map((address) => ({ name: '', address })) }),
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    headers: {
      'Content-Language': mail.language,
      // Holiday notices do not answer these (RFC 3834).
      'Auto-Submitted': 'auto-generated',
    },
    attachments: [
      ...inline,
      ...mail.attachments.map(({ filename, type, content }) => ({
        filename: oneLine(filename),
        contentType: type,
        content,
      })),
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
