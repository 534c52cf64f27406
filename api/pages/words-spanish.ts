/** The words that hosted pages share, in Spanish. */
import type { PageWords } from './words-english.ts';

export const spanish: PageWords = {
  faultyTitle: 'Error: {title}',
  problemsTitle: 'Revise lo siguiente',
  labelled: '{label}: {text}',
  requiredNote: 'Los campos marcados con {mark} son obligatorios.',
  choose: 'Elija una opción',
  newTab: 'se abre en una pestaña nueva',
  pleaseWait: 'Espere, por favor…',
  times: '{quantity} ×',
  subtotal: 'Subtotal',
  total: 'Total',
  dueToday: 'A pagar hoy',
  untaxed: 'Sin impuestos',
  charge: 'Concepto',
  amount: 'Importe',
  per: {
    Daily: '{amount} al día',
    Weekly: '{amount} a la semana',
    Monthly: '{amount} al mes',
    Quarterly: '{amount} al trimestre',
    SemiAnnual: '{amount} al semestre',
    Yearly: '{amount} al año',
  },
  lasting: {
    regular: 'Después: {price}, sin descuentos, impuestos ni consumo.',
    couponOnce: 'El cupón {code} solo vale para la primera factura.',
    couponUntil: 'El cupón {code} es válido hasta el {date}.',
    couponAlways: 'El cupón {code} vale para todos los períodos de facturación.',
    renews:
      'No hay un plazo fijo: la suscripción se renueva después de cada período de facturación, hasta que se cancele.',
    renewsAfter:
      'El plazo termina el {date} y después se renueva, hasta que se cancele la suscripción.',
    ends: 'La suscripción termina el {date}.',
    cancelHere: 'Puede cancelarla en su cuenta, en «Suscripciones».',
    cancel: 'Para cancelarla, póngase en contacto con {sender}.',
  },
  card: {
    title: 'Tarjeta',
    cardNumber: 'Número de tarjeta',
    expiryMonth: 'Mes de caducidad',
    expiryYear: 'Año de caducidad',
    month: 'Mes',
    year: 'Año',
    cvv: 'Código de seguridad',
    cvvHint: '3 dígitos en el reverso o 4 dígitos en el anverso',
    cardholderName: 'Nombre que figura en la tarjeta',
  },
  problem: {
    required: 'Rellene este campo.',
    choose: 'Elija una opción.',
    invalid: 'Revise este dato.',
    tooLong: 'Este texto es demasiado largo.',
    webAddress: 'Escriba un nombre sin dirección web.',
    email: 'Introduzca una dirección de correo, por ejemplo nombre@example.com.',
    phone: 'Introduzca un número de teléfono, por ejemplo +34 912 345 678.',
    country: 'Elija un país de la lista.',
    state: 'Elija un estado o una provincia de la lista.',
    address: 'No hemos encontrado esta dirección. Revísela, por favor.',
    'login.tooShort': 'Elija un nombre de usuario más largo: al menos 6 caracteres.',
    'login.needsPassword':
      'Elija una contraseña para su nombre de usuario o deje ambos campos vacíos.',
    'login.refused': 'El nombre de usuario o la contraseña no son correctos. Revise ambos.',
    'password.guarded':
      'Se han introducido demasiadas contraseñas erróneas. Cierre la sesión y elija «¿Ha olvidado ' +
      'su contraseña?».',
    'password.wrong': 'Esta no es su contraseña actual. Revísela.',
    'profile.changed':
      'Sus datos se han modificado en otro lugar y no se ha guardado nada. Revíselos y guarde de ' +
      'nuevo.',
    'passwd.weak':
      'Elija una contraseña más segura: al menos 8 caracteres, con mayúsculas, minúsculas y un ' +
      'dígito.',
    'passwd.needsLogin':
      'Elija un nombre de usuario para su contraseña o deje ambos campos vacíos.',
    'plan.unknown': 'Este plan no existe. Elija otro.',
    'plan.retired': 'Este plan ya no está disponible. Elija otro.',
    'quantity.form': 'Introduzca un número entero a partir de 1.',
    'quantity.outOfRange': 'Este plan no está disponible en esta cantidad.',
    'coupon.unknown': 'No conocemos este cupón. Revise el código.',
    'coupon.notValid': 'Este cupón no es válido hoy.',
    'coupon.plan': 'Este cupón no es válido para este plan.',
    'coupon.currency': 'Este cupón no es válido para precios en esta moneda.',
    'change.upgrade':
      'Esto no cuesta más al día que lo que tiene. Elija otro plan u otra cantidad.',
    'change.downgrade':
      'Esto no cuesta menos al día que lo que tiene. Elija otro plan u otra cantidad.',
    'startDate.past': 'La fecha de inicio ya ha pasado. Solicite un enlace nuevo.',
    'date.form': 'Indique una fecha, por ejemplo 2027-01-31.',
    'date.order': 'El primer día es posterior al último.',
    'card.required': 'Introduzca los datos de su tarjeta.',
    'card.number': 'Este número de tarjeta no es válido. Revise los dígitos.',
    'card.length': 'Este número de tarjeta tiene muy pocos o demasiados dígitos.',
    'card.brand': 'No aceptamos este tipo de tarjeta. Utilice otra.',
    'card.refused': 'Esta tarjeta no ha sido aceptada. Revise los datos o utilice otra tarjeta.',
    'expiry.past': 'Esta tarjeta ha caducado. Revise la fecha o utilice otra tarjeta.',
    'cvv.length': 'Introduzca el código de seguridad: 3 dígitos, o 4 dígitos en American Express.',
    'tos.required': 'Acepte las condiciones para continuar.',
    'price.moved':
      'El precio o las condiciones han cambiado. Revíselos y vuelva a hacer el pedido.',
    declined:
      'Su tarjeta ha sido rechazada y no se ha cobrado nada. Utilice otra tarjeta o inténtelo ' +
      'de nuevo.',
    'declined.last':
      'Su tarjeta ha sido rechazada y no se ha cobrado nada. Le queda un intento; utilice otra ' +
      'tarjeta.',
    tryAgain:
      'La operación no se ha completado y no se ha cobrado nada. Inténtelo de nuevo en unos ' +
      'instantes.',
    formExpired: 'Este formulario ha estado abierto demasiado tiempo. Envíelo de nuevo.',
    tooMany: 'Ha habido demasiados intentos. Espere un momento e inténtelo de nuevo.',
    'invoices.moved':
      'Los importes pendientes han cambiado y no se ha cobrado nada. Compruebe el nuevo ' +
      'total y pague de nuevo.',
    'invoices.none': 'Elija las facturas que desea pagar.',
    'invoices.chosen':
      'Su elección ha cambiado el total y no se ha cobrado nada. Compruebe el nuevo total y, a continuación, pague.',
    'invoices.underWay':
      'Ya hay un pago en curso de una de estas facturas. No se ha cobrado nada dos veces.',
    'method.gone': 'Este medio de pago ya no está disponible. Elija otro, por favor.',
    'declines.session':
      'Se han rechazado tres pagos. Por su seguridad, no se acepta ninguna otra tarjeta ' +
      'hasta que vuelva a iniciar sesión.',
  },
  notice: {
    mailed: {
      title: 'Revise su correo',
      text: 'Hemos enviado un mensaje a la dirección indicada. Su pedido se realiza cuando abra la página que contiene y pulse su botón. Dispone de 30 minutos.',
      link: 'Comprobar ahora',
    },
    unknown: {
      title: 'Página no encontrada',
      text: 'Esta dirección no lleva a ninguna parte. Revise el enlace o solicite uno nuevo.',
      link: 'Continuar',
    },
    gone: {
      title: 'Este enlace ha caducado',
      text: 'Por su seguridad, esta página solo está abierta durante un tiempo limitado.',
      link: 'Continuar',
    },
    formExpired: {
      title: 'Este formulario ya no es válido',
      text: 'Ha estado abierto demasiado tiempo o se abrió en otro lugar. No se ha guardado nada.',
      link: 'Abrir el formulario de nuevo',
    },
    foreign: {
      title: 'Este formulario procede de otra página',
      text:
        'Por su seguridad, solo aceptamos formularios de nuestras propias páginas. No se ha ' +
        'guardado nada.',
      link: 'Abrir el formulario de nuevo',
    },
    forbidden: {
      title: 'No disponible',
      text: 'Esta página no está disponible para usted.',
      link: 'Continuar',
    },
    tooLong: {
      title: 'Demasiado texto',
      text: 'Lo que ha introducido es demasiado largo. Acórtelo. No se ha guardado nada.',
      link: 'Abrir el formulario de nuevo',
    },
    wrongType: {
      title: 'No se puede leer este formulario',
      text: 'Ha llegado en un formato desconocido. Envíelo desde nuestra página.',
      link: 'Abrir el formulario de nuevo',
    },
    tooMany: {
      title: 'Demasiados intentos',
      text: 'Ha habido demasiados intentos en poco tiempo. Espere un momento e inténtelo de nuevo.',
      link: 'Intentar de nuevo',
    },
    notAllowed: {
      title: 'Esto no es posible aquí',
      text: 'Esta dirección no acepta lo que se ha enviado. No se ha guardado nada.',
      link: 'Abrir la página',
    },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'Esta página no está disponible ahora mismo. Inténtelo de nuevo en unos instantes.',
      link: 'Intentar de nuevo',
    },
    failed: {
      title: 'Algo ha fallado',
      text: 'El error es nuestro. Inténtelo de nuevo en unos instantes.',
      link: 'Intentar de nuevo',
    },
  },
};
